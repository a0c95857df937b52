"""Pages for people: the teacher's review, the student's feedback, and students' text made safe for both."""
