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
FACTOR_ROUNDINGS = 500  # eps of the largest K_ii: what a factor that stands for K may lack (1e-13 in float64)
# of ||w||^2 / C: the duality gap from which Newton steps on the free points find the optimum
FACTOR_GAP = 1e-8

# ---------------- interior point

MOST_INTERIOR_STEPS = 100  # some thirty suffice; more mean that rounding stops the progress
STEP_TO_BOUND = 0.995  # of the way to the first bound: Mehrotra's choice, strictly inside
# rows of a triangular system solved at once by LAPACK, which has no substitution in NumPy
TRIANGULAR_BLOCK = 128

# ---------------- Gaussian kernel from the points

# from here on blocks of points are solved: rows of K would fill the memory (0.4 GB)
BLOCKWISE_POINTS = 10_000
MOST_STORED = 4000  # points whose whole float64 matrix is made (128 MB) where pair steps are many
FEW_STEPS_C = 10.0  # up to this C (the variance is at most 1) pair steps meet only a part of the rows
# points of either class that go to C at once; 128 rows of 2000 points are 1 MB
FIRST_MOVE, FEWEST_MOVED, MOST_MOVED = 16, 8, 128
SLOPE_OVER_CURVATURE = 1.2  # at the end of such a move the dual still rises: 1 would be its best length
TILE = 131_072  # entries of K made at once: a megabyte, which stays in the second-level cache
TILE_WIDTH = 512  # columns of a tile in products with K
ROW_BATCH = 32  # rows of K made at once: one matrix product makes them in a third of the time of single rows
# bytes taken at once to keep rows in: from 8 MB on Linux gives large pages, three times as fast
ROW_MEMORY = 2**23
# times 1 / sqrt(gamma) from the mean: further out float32 leaves too few digits of distances
FLOAT32_RADIUS = 1e3

# ---------------- Newton's method on the primal (smooth kernels)

# of n columns at most: then a Newton step of the primal costs less than a row of K a point
GUESS_RANK_SHARE = 0.05
GLIMPSE_COLUMNS, GLIMPSE_SHARE = 16, 0.5  # after 16 columns more than half of the trace left: K is not smooth
GUESS_LACK = 0.003  # of K_ii, divided by max(1, C): what the factor may lack, for scores are C times as long
FLOAT32_LACK = 1e-6  # of K_ii is lost in float32: a factor cannot lack less
# half width of the smoothed hinge in y f(x), below the violation of 0.1 that is left
NARROWEST_PARABOLA = 0.01
NARROWING = 0.3  # the next width, as a share of the last: the points on the parabola change little
STEPS_PER_WIDTH, STEPS_AT_LAST_WIDTH = 5, 20  # Newton steps; at wider parabolas only a start is wanted
MOST_LENGTHS, FLAT_SLOPE = 6, 0.3  # line search: trials, and the share of the first slope that may be left

# ---------------- block coordinate ascent (very many points)

SMALLEST_SAMPLE, SAMPLE_GROWTH = 500, 4  # points of the first sample, and the growth from one to the next
SAMPLE_VIOLATION = 0.3  # left on all samples but the last: they only say where to begin
THRESHOLD_WIDTH = 0.05  # in y f(x), of the soft threshold that makes multipliers of a sample's scores
BLOCK_POINTS = 2048  # points solved together: their float64 matrix takes 32 MB
NEARLY_MOVING = 0.15  # in y f(x): points that lie this close to moving join a block
MOST_BLOCKS = 100  # solved in turn; ten usually suffice

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
