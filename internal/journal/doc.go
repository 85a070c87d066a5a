// Package journal stores a run's questions to the language models, their answers, and the run's decisions about the
// programs in the answers.
//
// The activities of a run write it, one object for each entry; `epb llm log` and the tests read it. An entry is written
// once: an activity that is tried again finds its own. The prompts and the raw answers are no part of it: all runs
// share them (llm.Record), and an entry names its request.
//
// In the store, under runs/RUN/: llm/ holds replies, asked/ who asked a request first since the run began,
// rulings/ the decisions, tuned/ what a program was before its weights were trained, described/ which programs of the
// bank were described anew. A run that is started again under the name of one that failed has the folder to itself.
package journal
