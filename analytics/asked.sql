-- What judges were asked, built once with the store: the verdicts themselves say only what they did rule on.

-- one row per item x judge: how many criteria the item has for the judge; it need not have a verdict on each. They are
-- those that the judge ruled on in any response to the item; those that the log declares of it; and those that another
-- judge ruled on there, if this one rules on that criterion elsewhere in the benchmark: one that it never names is not of
-- its rubric. The last two count where a criterion of the item is in common. A verdict on the whole answer, and a metric
-- between 0 and 1, is no criterion.
CREATE TABLE asked_criteria AS
WITH ruled AS (
    SELECT DISTINCT item_idx, judge_id, criterion FROM verdicts
    WHERE on_judge = '' AND criterion <> 'answer' AND (met IS NOT NULL OR status <> 'ok')
    UNION SELECT item_idx, '', criterion FROM criteria JOIN items USING (benchmark, item_id)
),
beside AS (
    SELECT DISTINCT a.item_idx, a.judge_id, b.judge_id AS other FROM ruled a JOIN ruled b USING (item_idx, criterion)
    WHERE a.judge_id <> ''
),
named AS (
    SELECT DISTINCT i.benchmark, r.judge_id, r.criterion FROM ruled r JOIN items i USING (item_idx)
)
SELECT b.item_idx, b.judge_id, count(DISTINCT r.criterion) AS criteria
FROM beside b JOIN ruled r ON r.item_idx = b.item_idx AND r.judge_id = b.other
JOIN items i ON i.item_idx = b.item_idx
LEFT JOIN named n ON n.benchmark = i.benchmark AND n.judge_id = b.judge_id AND n.criterion = r.criterion
WHERE r.judge_id = '' OR n.criterion IS NOT NULL
GROUP BY b.item_idx, b.judge_id;

-- one row per response x judge that left one of its criteria without a verdict, in a row or for want of one: whether
-- another is not met, which settles the attempt (equation 2 of arXiv:2610.08966)
CREATE TABLE open_attempts AS
SELECT v.run_idx, v.item_idx, v.attempt, v.judge_id,
       coalesce(bool_or(NOT v.met), FALSE) AS unmet
FROM verdicts v JOIN asked_criteria a USING (item_idx, judge_id)
WHERE v.on_judge = '' AND v.criterion <> 'answer'
GROUP BY v.run_idx, v.item_idx, v.attempt, v.judge_id
HAVING NOT bool_or(v.status = 'ok' AND v.met IS NULL) AND (bool_or(v.status <> 'ok') OR count(*) < max(a.criteria))
ORDER BY v.run_idx, v.item_idx, v.attempt, v.judge_id;
