// Package report turns a finished distillation into something to read: one self-contained HTML page with its
// figures, and the same data as JSON.
//
// Data is everything the page says; HTML only lays it out. The page loads nothing: styles, charts (SVG) and
// code are inline, it reads well in light and dark, on paper and at phone width, and whatever an LLM wrote
// (names, descriptions, code) reaches it escaped.
package report
