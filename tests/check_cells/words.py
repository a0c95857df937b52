"""Names of functions and options that say what an expression of a check is."""

# of generators of random numbers
DRAWN = {"binomial", "choice", "default_rng", "dirichlet", "integers", "make_blobs", "multinomial"}
DRAWN |= {"normal", "permutation", "random", "rng", "shuffle", "standard_exponential", "standard_normal"}
DRAWN |= {"uniform"}
# whose arguments are sizes, ranges and indices
SIZES = {"Fraction", "arange", "empty", "enumerate", "eye", "full", "geomspace", "identity", "ix_"}
SIZES |= {"len", "linspace", "logspace", "meshgrid", "ones", "range", "repeat", "tile", "tril_indices"}
SIZES |= {"triu_indices", "zeros"}
# whose arguments are formulas; of `OF_ONE` the first alone, the others are choices
FORMULAS = {"abs", "arccos", "ceil", "comb", "cos", "cosh", "cumprod", "cumsum", "diff", "divide"}
FORMULAS |= {"dot", "exp", "expm1", "factorial", "float", "floor", "gamma", "int", "log", "log10"}
FORMULAS |= {"log1p", "log2", "logaddexp", "max", "maximum", "mean", "median", "min", "minimum", "norm"}
FORMULAS |= {"outer", "prod", "ptp", "round", "sign", "sin", "sinh", "sorted", "sqrt", "square", "std"}
FORMULAS |= {"sum", "tan", "tanh", "var"}
OF_ONE = {"diff", "mean", "median", "norm", "ptp", "round", "sum"}
OPTIONS_OF_SIZE = {"atol", "axis", "draws", "iterations", "record", "rng", "rtol", "runs", "seed"}
OPTIONS_OF_SIZE |= {"size", "steps"}
ABSOLUTE = {"abs", "norm", "ptp"}
WRAPPING = {"all", "any", "list", "max", "mean", "median", "min", "sorted", "sum"} | ABSOLUTE
CLOSE = {"allclose", "array_equal", "array_equiv", "assert_allclose", "isclose"}
BOUNDED = "bounded"  # the call that asserts an inequality and its slack
