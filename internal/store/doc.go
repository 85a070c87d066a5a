// Package store keeps objects in MinIO or any other S3 service. It is the only package that imports minio-go.
//
// Two kinds of object live in one bucket. Large data is content-addressed: objects/<sha256>, written once and
// verified on every read, so that a reference (Ref) is all that workflows pass around and a retry writes nothing
// twice. Small manifests have keys of their own, such as runs/<id>/result.json, and may be replaced.
//
// There is no cache here and no local file: activities keep what they read often.
package store
