// A notebook of code cells, as a file for Jupyter.

export const notebook = sources => ({
  cells: sources.map((source, number) => ({ cell_type: "code", execution_count: null, id: `cell-${number}`, metadata: {}, outputs: [], source })),
  metadata: { kernelspec: { display_name: "Python 3", language: "python", name: "python3" }, language_info: { name: "python" } },
  nbformat: 4,
  nbformat_minor: 5,
});
