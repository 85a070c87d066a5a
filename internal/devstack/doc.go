// Package devstack runs what a distillation needs on one machine: a Temporal dev server with its UI, MinIO, the
// stand-in LLM server and a worker, each a detached process with a log and a pid file in one folder (.dev).
//
// The folder is all state there is. stack.json holds the addresses and the MinIO keys made on first use, and data/
// what the servers keep between starts. Up starts what does not run and restarts what has changed. Down stops only the
// processes it can prove to be its own.
//
// A real Temporal cluster or S3 service takes the place of a local server as soon as the environment (or Temporal's
// profile file) names one: package connect asks there first, and only then for the Servers of the stack.
package devstack
