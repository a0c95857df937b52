"""The sandbox in which students' code runs, and the plain values that go in and come out."""
