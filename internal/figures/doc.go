// Package figures writes the figures of a report as SVG and PDF, and its tables as CSV and LaTeX, for papers and talks.
package figures
