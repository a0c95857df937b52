"""Formulas set by Temml, for the site and for the pages of the coursework."""
