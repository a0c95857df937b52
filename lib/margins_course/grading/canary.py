"""The canary class: submissions with known marks, and hostile ones, marked before any student's.

They pass through the same boxes with the same source. Where one does not get the points that it deserves, or an
attack reaches anything, nothing is marked. Else a dated certificate says what was tried.
(book: Teaching with this book, Grade)
"""

import contextlib
import json
import platform
import re
import secrets
import select
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import nbformat

from margins_course.assignments.sheet import read_sheet
from margins_course.folder import CourseFolder, write
from margins_course.grading import canaries
from margins_course.grading.canaries import Canary
from margins_course.grading.environment import environment, environment_hash
from margins_course.grading.hostile import Targets
from margins_course.grading.results import as_json
from margins_course.grading.workers import each, marked, workers
from margins_course.problems import CourseProblem
from margins_course.sandbox.answers import Limits
from margins_course.sandbox.box import Box, BoxFailure
from margins_course.sandbox.seal import readable_folders
