"""A pytest plugin: let nbval compare pictures too.

nbval compares no PNG. This plugin decodes the committed picture and the one just drawn and
compares their pixels. On the platform that drew the committed ones they are the same; elsewhere a
font or the last bit of a sum may move an edge, so a small root-mean-square difference passes.
"""

import base64
import io

import matplotlib.image as mpimg
import numpy as np
from matplotlib.testing.compare import calculate_rms
from nbval.plugin import IPyNbCell

# Root-mean-square difference of 8-bit pixel values. A line of one curve that moves by its own
# width differs by more (tests/test_figures.py), another rasterizer of the same curves by less.
TOLERANCE = 2.0


def pixels(png):
    """Decode base64 text or bytes of a PNG into an (height, width, 3) array of floats in 0..255."""
    raw = png if isinstance(png, bytes) else base64.b64decode(png)
    return 255.0 * mpimg.imread(io.BytesIO(raw), format="png")[..., :3].astype(float)


def difference(expected, actual):
    """Return why two pictures differ as one line, or None if they are the same within TOLERANCE."""
    expected, actual = pixels(expected), pixels(actual)
    if np.abs(np.subtract(expected.shape, actual.shape)).max() > 2:
        return f"the figure's size changed from {expected.shape} to {actual.shape}"
    height, width = np.minimum(expected.shape, actual.shape)[:2]
    rms = calculate_rms(expected[:height, :width], actual[:height, :width])
    if rms > TOLERANCE:
        return f"the figure changed: RMS difference {rms:.1f}, more than {TOLERANCE}"
    return None


def pictures(outputs):
    return [
        output["data"]["image/png"]
        for output in outputs
        if "image/png" in output.get("data", {})
    ]


compare_text = IPyNbCell.compare_outputs


def compare_outputs(self, test, ref, skip_compare=None):
    same = compare_text(self, test, ref, skip_compare)
    for expected, actual in zip(pictures(ref), pictures(test), strict=False):
        if reason := difference(expected, actual):
            self.comparison_traceback.append(reason)
            same = False
    return same


IPyNbCell.compare_outputs = compare_outputs
