"""Every tuned constant of the solvers: its unit and why it has this value.

Times were measured on one thread of an x86-64 server with OpenBLAS. A pair step costs about 5 microseconds
and another 4 for every 1000 points. Other machines shift the ratios little: a factor of two in any constant
that is a number of points, steps or columns changes the solvers' time, never their answer.
"""

# ---------------- pair steps, shrinking and Newton steps (box)

FEW_POINTS = 100  # up to here the plain pair steps of `margins.svm.smo` are as quick as those of `PairAscent`
COARSE_VIOLATION = 1e-3  # of y f(x) = 1: from here Newton steps on the free points usually find the optimum
MOST_ATTEMPTS = 8  # to end with Newton steps; each begins from a violation ten times smaller than the last
MOST_CLIMB_ROUNDS = 250  # of pair steps and a Newton step in one attempt; a tenth of them usually does
FEWEST_PAIR_STEPS = 100  # in one round: fewer would not pay for setting up the masks and lists of a round
# of the points: if fewer can move, the dual is restricted to them; halves pay for the copy
SHRINKING_SHARE = 0.5
PAIR_STEPS_PER_CUBED_FREE_POINT = 7e-6  # a Newton step on k free points takes the time of 7e-6 k^3 pair steps
CLIMB_LIFT = 0.1  # of violation / C: lifts the diagonal of a Newton step far from the optimum
POLISH_LIFT = 1e-6  # of violation / C: the same near the optimum, where the step must not be shortened
MOST_BOUNDS = 30  # bounds met by one cautious Newton step; each costs another linear system
ON_BOUND = 1e-14  # of the largest multiplier: closer to a bound than rounding resolves counts as on it
LOST_GRADIENT = 1e-3  # of y: products K beta below it have lost digits in y - K beta and are computed anew

# ---------------- continuation in C (all in units of 1 / variance)

# larger C (and inf) are approached from below: steps of length C would drown multipliers
CONTINUATION_C = 1e8
CONTINUATION_START = 1e3  # the first C of the continuation, at which pair steps are still few
CONTINUATION_FACTOR = 100.0  # from one C to the next: ten would double the rounds, a thousand loses the start
BLURRED_MARGIN = 1e-4  # rounding of y f(x): where it is larger, a larger C makes nothing sharper

# ---------------- low rank: K = F F' with few columns

LARGE_C = 1e5  # in units of 1 / variance: from here on K is factored at once, for pair steps are many
FEWEST_FACTORED = 200  # points; with fewer, pair steps and Newton steps take a few milliseconds at any C
MOST_RANK_SHARE = 0.25  # of n: with more columns an interior-point step costs as much as a Newton step
MOST_RANK = 400  # columns: 1.3 MB a thousand points for the factor, and a second of interior-point steps
FIRST_TRY = 1.0  # pair steps a point before a factor is tried: an easy problem ends before
NEXT_TRY = 2  # times as many pair steps until the next, larger factor is tried
# thirty interior-point steps with r columns take the time of r^2 / 4 pair steps and their Newton steps
PAIR_STEPS_PER_SQUARED_RANK = 0.25
FACTOR_ROUNDINGS = (
    500  # eps of the largest K_ii: by how much a factor that stands for K may miss a K_ii (1e-13 in float64)
)
# of ||w||^2 / C: the duality gap from which Newton steps on the free points find the optimum
FACTOR_GAP = 1e-8

# ---------------- interior point

MOST_INTERIOR_STEPS = 100  # some thirty suffice; more mean that rounding stops the progress
STEP_TO_BOUND = 0.995  # of the way to the first bound: Mehrotra's choice, strictly inside
# rows of a triangular system solved at once by LAPACK, which has no substitution in NumPy
TRIANGULAR_BLOCK = 128

# ---------------- hard margin and nearest points

SEPARABLE = 1e-13  # of the variance: a squared margin below it is decided by rounding
UNDECIDED = 1e-10  # of the variance: hulls this far apart (squared) without a margin between were not solved
COINCIDENT = 1e-14  # of the variance: a squared distance that rounding does not tell from 0
# of the largest centred K_ii: an eigenvalue above it is no rounding error of a Cholesky factor
DEFINITE = 1e-9
HULL_ROUNDING = 1e-12  # of the squared distance: Wolfe's method has converged
# points; Wolfe's rounds solve a system of this size each, beyond it an interior point is quicker
LARGEST_CORRAL = 64
MOST_WOLFE_ROUNDS = 2000  # each adds one point; fewer than a hundred are usual
FIRST_WORKING_SET = 600  # points of the interior point's first working set: 3 MB, 10 ms a step
HULL_GAP = 1e-6  # of the squared distance, to which the duality gap has to come
IDLE_WEIGHT = 1e-7  # of the largest weight: what carries less leaves the working set
MOST_WORKING_SETS = 60  # exchanges of points; five usually suffice
