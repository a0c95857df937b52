"""An assignment made from chapters: cells are read, cut to the exercises, proved and written as notebooks."""
