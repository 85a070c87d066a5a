// Package activities is the only place where computing packages meet the object store, the LLM and Temporal. Each
// activity is a step: it reads objects by their references, calls a pure function, stores the result and returns
// references with a few numbers.
//
// Every activity is a function of its input: run again after a crash, on any worker, it yields the same bytes. What is
// in the store already is not computed again: rollouts, compiled programs, scores, LLM answers. A heuristic that does
// not compile, traps or overruns is a result; lost infrastructure is an error, which Temporal retries.
//
// There is a file for each step, named after it:
//
//	prepare, plan                                  what the config names; which rollouts to record
//	rollout, dagger, score                         states of the teacher, of the student; scores of the programs
//	train, checkpoint                              SGD on the router (Eq. 11, left column)
//	attribute, backward, step, rewrite, describe   the textual step (Eq. 10; Eq. 11, right column)
//	judge, commit                                  accepting its edits
//	faults, propose, assign, agree, admit          Add (Alg. 2)
//	drop, expel                                    Drop (Alg. 3), and programs that crash
//	evaluate, report                               results
//
// What several steps share: heartbeat, errors, talk (the LLM), journal (decisions), model (bank and student together),
// shards, failures (what critics are shown), tau (fitting τ_h), recipe (how a lost shard is made again).
package activities
