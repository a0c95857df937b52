"""The same by marimo-book, which runs the notebook for every value of the slider."""

import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo
    import matplotlib.pyplot as plt
    import numpy as np

    return mo, np, plt


@app.cell
def _(mo):
    sigma = mo.ui.slider(start=0.5, stop=2.0, step=0.03125, value=1.0, label="standard deviation")
    sigma  # noqa: B018 - what the cell shows
    return (sigma,)


@app.cell
def _(mo, np, plt, sigma):
    x = np.linspace(-4, 4, 81)
    density = np.exp(-((x / sigma.value) ** 2) / 2) / (sigma.value * np.sqrt(2 * np.pi))
    figure, axes = plt.subplots(figsize=(4.6, 3.2))
    axes.plot(x, density)
    axes.set(xlim=(-4, 4), ylim=(0, 0.9), xlabel="x", ylabel="density")
    mo.vstack(
        [figure, mo.md(f"With standard deviation {sigma.value:.2f} the height is {density.max():.2f}.")]
    )
    return


if __name__ == "__main__":
    app.run()
