// Package report turns a finished distillation into something to read: one self-contained HTML page with its
// figures, and the same data as JSON.
//
// Data holds all content of the page. The activity Evaluate measures its table, fidelity, activation, tours and
// certificate on the test instances, which are drawn from the config's seed or are the last of the teacher's recorded
// rollouts. The activity Report adds the course of the run: history, events and spending, as the workflow kept them.
// The losses of the history are means over the training and the validation shards. The run's manifest names the
// validation shards; the run's history in Temporal names the training shards too.
//
// HTML only lays the data out. The page loads nothing: styles, charts (SVG) and code are
// inline, it reads well in light and dark, on paper and at phone width, and text that an LLM wrote (names,
// descriptions, code) is escaped.
package report
