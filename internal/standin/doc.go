// Package standin is a server that speaks OpenAI's chat completions and answers by rule. It lets the demo, the tests
// and the crash drills run without a key. It is no language model and says so: in the model's name, and in everything
// that the project derives from its answers.
//
// It sees what a language model would see, the prompts of package textgrad, and nothing else. Its edits change the
// structure of a program only; training sets the numbers.
//
//   - A step adds one term: the measure of a candidate with the largest slope in the prompt's evidence, more readily
//     one that the diagnoses agree on, as a named weight with the sign of the slope. Where the evidence says that a
//     measure counts the other way late, the term ends at a threshold. Where the program has as many terms as the
//     prompt allows, the new one takes the place of the weakest. A program that is mostly wrong where it is trusted is
//     written anew.
//   - A proposal sorts the failures by the measure that tells the picks apart, and writes a program of at most as
//     many for each group: the way there, and what the evidence shows.
//   - A diagnosis compares what the prompt says of the two picks.
//
// A prompt without evidence, as for programs that see a subgraph, is read for what it has: the columns of the
// failures, else the diagnoses, else the teacher's habits. If it has none of these, a step changes nothing and says so.
//
// The null writer is the control of an ablation. It is asked for by its name as a model, llm.NullWriter. It writes
// terms in the same way, but their choice among all named features, their sign and size are drawn by lot. What the
// stand-in does better than the null writer, it owes to the evidence.
//
// A reply is a function of its request alone.
package standin
