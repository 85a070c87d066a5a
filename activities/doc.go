// Package activities is the only place where computing packages meet Temporal. Each activity is a step: it reads
// objects by their references, calls other packages, stores the results and returns references with a few numbers. It
// reaches the object store through package artifact, and the LLM through package dialogue. What needs the store is a
// method of Activities; what needs none is a function.
//
// Every activity is a function of its input: run again after a crash, on any worker with the same numeric kernels, it
// yields the same bytes. (The report also names times, machine and build.) What is in the store already is not computed
// again: rollouts, compiled programs, scores, LLM answers.
//
// How a step ends (errors.go): a candidate that does not compile or crashes is a result with a reason. A program of the
// bank that crashes (*runtime.Crash) ends the step with ErrCrash, and the workflow takes the program out. A panic is a
// defect of EPB, and final after a few attempts. All else, such as a lost store, is an error that Temporal retries.
//
// To add an activity: a handle with its input and output in workflows/wire_*.go, a method in a file here, a line in
// register.go. Workflows that run it must still replay the histories in workflows/testdata.
//
// There is a file for each step, named after it:
//
//	prepare, plan                                  what the config names; which rollouts to record
//	rollout, dagger, score                         states of the teacher, of the student; scores of the programs
//	sketch                                         the first bank, fitted
//	train, checkpoint                              SGD on the router (Eq. 11, update of θ)
//	weights, terms                                 SGD on the programs' weights; terms that earn nothing go
//	attribute, backward, step, rewrite, describe   the textual step (Eq. 10; Eq. 11, TG-Backward, TG-Step)
//	judge, commit                                  accepting its edits
//	redescribe                                     descriptions of programs that have lost a term
//	faults, propose, assign, agree, admit          Add (Alg. 2)
//	drop, expel                                    Drop (Alg. 3), and programs that crash
//	evaluate, rivals, certify, report              results
//
// What several steps share: heartbeat, errors, talk (the LLM), journal (decisions), model (bank and student together),
// shards, scoring, tuning and alone (the weights of a few programs), failures (what critics are shown), habits (what
// the teacher usually does), tau (fitting τ_h), recipe (how a lost shard is made again).
package activities
