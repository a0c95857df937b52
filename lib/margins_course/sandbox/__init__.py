"""The sandbox in which students' code runs, and the plain values that cross its wall."""
