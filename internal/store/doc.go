// Package store keeps objects in MinIO or any other S3 service. It is the only package that imports minio-go.
//
// Two kinds of object live in one bucket. Large data is content-addressed: objects/<sha256>, written once, so that a
// reference (Ref) is all that workflows pass around and a retry writes nothing twice. Small manifests have keys of
// their own, such as runs/<id>/result.json, carry their hash in their metadata, and may be replaced.
//
// Every object is verified on every read. One that is not what was put is ErrDamaged, and a put of its content mends
// it. So the bytes are known to be right whether or not the service has checksums of its own.
//
// There is no cache here and no local file: activities keep what they read often.
package store
