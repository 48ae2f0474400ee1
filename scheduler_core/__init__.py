"""Headroom's core: scenarios, the simulator, job logs, metrics and studies; no screen.

Everything a caller needs is named here and loaded when first used, so that showing a help text does
not load the compiled kernels. The list of names stands in `__init__.pyi`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
