import subprocess
import sys
from pathlib import Path

import analytics.numeric

FOLDER = Path(analytics.numeric.__file__).parent


def test_no_kernel_loads_the_heavy_libraries_at_import():
    modules = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
    assert "intervals" in modules
    code = "import sys\n" + "\n".join(f"import analytics.numeric.{name}" for name in modules)
    code += "\nprint([name for name in ('scipy.stats', 'statsmodels', 'pandas', 'polars') if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=FOLDER.parents[1], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
