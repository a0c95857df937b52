"""The library of *Margins of Attention*: one module an idea, one chapter a module.

Import the module you need (``from margins.svm import smo``); importing the
package alone loads nothing.
"""

__version__ = "0.1.0"
