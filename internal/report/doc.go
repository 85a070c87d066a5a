// Package report turns a finished distillation into something to read: one self-contained HTML page with its
// figures, and the same data as JSON.
//
// Data holds all content of the page; HTML only lays it out. The page loads nothing: styles, charts (SVG) and code are
// inline, it reads well in light and dark, on paper and at phone width, and text that an LLM wrote (names,
// descriptions, code) is escaped.
package report
