# wrong: the mean of the quotients
def jackknife(N, Z):
    return (N / Z[:, None]).mean(axis=0)


# wrong: no correction
def jackknife(N, Z):
    return N.sum(axis=0) / Z.sum()


# wrong: the quotients of single projections taken off
def jackknife(N, Z):
    m = len(Z)
    return m * N.sum(axis=0) / Z.sum() - (m - 1) * (N / Z[:, None]).mean(axis=0)


# wrong: the weights exchanged
def jackknife(N, Z):
    m = len(Z)
    without = (N.sum(axis=0) - N) / (Z.sum() - Z)[:, None]
    return m * without.mean(axis=0) - (m - 1) * N.sum(axis=0) / Z.sum()
