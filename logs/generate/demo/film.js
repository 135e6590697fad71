// Plays the clip of the demo cases on a canvas and returns what was recorded, in base64.
async ([ink, paper, wood, red, blue]) => {
  const canvas = document.createElement('canvas'); canvas.width = 320; canvas.height = 180;
  const c = canvas.getContext('2d');
  const seconds = 4, kind = {mimeType: 'video/webm', videoBitsPerSecond: 400000};
  const recorder = new MediaRecorder(canvas.captureStream(15), kind);
  const parts = []; recorder.ondataavailable = e => parts.push(e.data);
  const ended = new Promise(done => recorder.onstop = done);
  const draw = t => {
    c.fillStyle = paper; c.fillRect(0, 0, 320, 180);
    c.fillStyle = wood; c.fillRect(10, 105, 90, 8); c.fillRect(22, 113, 6, 47); c.fillRect(84, 113, 6, 47);
    c.fillStyle = '#ffd400'; c.fillRect(60, 100, 14, 5); c.beginPath(); c.arc(58, 102, 5, 0, 7); c.fill();
    c.fillStyle = red; c.fillRect(270, 50, 40, 110);
    const x = t < 0.45 ? 90 + 330 * t : t < 0.7 ? 238 : 238 - 480 * (t - 0.7);
    const step = t >= 0.45 && t < 0.7 ? 0 : 9 * Math.sin(40 * t), pat = t >= 0.45 && t < 0.7 ? 5 * Math.sin(60 * t) : 0;
    c.strokeStyle = ink; c.lineWidth = 4; c.lineCap = 'round';
    c.beginPath(); c.moveTo(x, 125); c.lineTo(x - step, 160); c.moveTo(x, 125); c.lineTo(x + step, 160);
    c.moveTo(x, 95); c.lineTo(x - 8 - pat, 118); c.moveTo(x, 95); c.lineTo(x + 8 + pat, 118); c.stroke();
    c.strokeStyle = blue; c.lineWidth = 13; c.beginPath(); c.moveTo(x, 92); c.lineTo(x, 122); c.stroke();
    c.fillStyle = paper; c.strokeStyle = ink; c.lineWidth = 3; c.beginPath(); c.arc(x, 74, 11, 0, 7); c.fill(); c.stroke();
    c.fillStyle = ink; c.beginPath(); c.arc(x + (t < 0.7 ? 6 : -6), 73, 2, 0, 7); c.fill();
  };
  draw(0); recorder.start();
  const start = performance.now();
  await new Promise(done => { const tick = () => { const t = (performance.now() - start) / 1000 / seconds;
    draw(Math.min(t, 1)); t < 1 ? requestAnimationFrame(tick) : done(); }; tick(); });
  recorder.stop(); await ended;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return btoa(Array.from(bytes, b => String.fromCharCode(b)).join(''));
}
