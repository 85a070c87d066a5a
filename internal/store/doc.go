// Package store keeps objects in MinIO or any other S3 service. It is the only package that imports minio-go.
//
// Two kinds of object live in one bucket. Large data is content-addressed: objects/<sha256>, written once, so that a
// reference (Ref) is all that workflows pass around and a retry writes nothing twice. Small manifests have keys of
// their own, such as runs/<id>/result.json, carry their hash in their metadata, and may be replaced.
//
// Every object is verified on every read. One that is not what was put is ErrDamaged, and a put of its content mends
// it. So the bytes are known to be right whether or not the service has checksums of its own.
//
// The activities of a run write its objects, through packages artifact, journal, llm and compile. `epb start` puts a
// teacher and a bank of this machine there. Inspect, for `epb doctor` and the checks before a start, writes a small
// object and deletes it. Other commands only read.
//
// Nothing is kept in memory or in local files here: package artifact keeps what is read often.
package store
