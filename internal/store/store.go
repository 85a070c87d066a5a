package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// ErrNotFound is in the chain of every error about an object that does not exist.
var ErrNotFound = errors.New("no such object")

// attempts bounds how often one request is sent; minio-go backs off up to a second between two of them. What lasts
// longer is left to the caller, whose activity is retried as a whole.
const attempts = 5

// Ref names a content-addressed object.
type Ref struct {
	Hash string `json:"hash"` // SHA-256 of the content, in hex
	Size int64  `json:"size"` // bytes
}

// Key returns the object's key in the bucket.
func (r Ref) Key() string { return "objects/" + r.Hash }

// RefOf returns the reference that data has once it is stored.
func RefOf(data []byte) Ref {
	sum := sha256.Sum256(data)
	return Ref{Hash: hex.EncodeToString(sum[:]), Size: int64(len(data))}
}

// Store is a bucket. It is safe for use by several goroutines.
type Store struct {
	client *minio.Client
	bucket string
}

// Open connects to the bucket and creates it where it is missing.
func Open(ctx context.Context, c Config) (*Store, error) {
	s, exists, err := find(ctx, c)
	if err != nil {
		return nil, err
	}
	if !exists {
		err = s.client.MakeBucket(ctx, c.Bucket, minio.MakeBucketOptions{Region: c.Region})
		if minio.ToErrorResponse(err).Code == "BucketAlreadyOwnedByYou" {
			err = nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open bucket %s at %s: %w", c.Bucket, c.URL(), err)
	}
	return s, nil
}

// find connects to the bucket, which need not exist.
func find(ctx context.Context, c Config) (s *Store, exists bool, err error) {
	creds := credentials.NewStaticV4(c.AccessKey, string(c.SecretKey), string(c.SessionToken))
	client, err := minio.New(c.Endpoint, &minio.Options{Creds: creds, Secure: c.TLS, Region: c.Region, MaxRetries: attempts})
	if err == nil {
		exists, err = client.BucketExists(ctx, c.Bucket)
	}
	if err != nil {
		return nil, false, fmt.Errorf("open bucket %s at %s: %w", c.Bucket, c.URL(), err)
	}
	return &Store{client: client, bucket: c.Bucket}, exists, nil
}

// Put stores data under its hash. Where the object exists already nothing is sent.
func (s *Store) Put(ctx context.Context, data []byte) (Ref, error) {
	ref := RefOf(data)
	info, err := s.client.StatObject(ctx, s.bucket, ref.Key(), minio.StatObjectOptions{})
	switch {
	case err == nil && info.Size == ref.Size:
		return ref, nil
	case err == nil: // a damaged object: its hash says what belongs there
		return ref, s.PutKey(ctx, ref.Key(), data)
	case !isNotFound(err):
		return Ref{}, fmt.Errorf("put %s: %w", ref.Key(), err)
	}
	_, err = s.PutKeyIfAbsent(ctx, ref.Key(), data)
	return ref, err
}

// Get returns the content of a content-addressed object. It is an error if it differs from what was put.
func (s *Store) Get(ctx context.Context, ref Ref) ([]byte, error) {
	data, err := s.get(ctx, ref.Key(), ref.Size)
	if err != nil {
		return nil, err
	}
	if got := RefOf(data); got != ref {
		return nil, fmt.Errorf("get %s: damaged: its content has hash %s", ref.Key(), got.Hash)
	}
	return data, nil
}

// PutKey stores data under a key, replacing what is there.
func (s *Store) PutKey(ctx context.Context, key string, data []byte) error {
	_, err := s.put(ctx, key, data, minio.PutObjectOptions{})
	return err
}

// PutKeyIfAbsent stores data under a key that has no object yet and reports whether it did.
func (s *Store) PutKeyIfAbsent(ctx context.Context, key string, data []byte) (created bool, err error) {
	var opts minio.PutObjectOptions
	opts.SetMatchETagExcept("*")
	return s.put(ctx, key, data, opts)
}

func (s *Store) put(ctx context.Context, key string, data []byte, opts minio.PutObjectOptions) (created bool, err error) {
	opts.ContentType = "application/octet-stream"
	_, err = s.client.PutObject(ctx, s.bucket, key, bytes.NewReader(data), int64(len(data)), opts)
	if minio.ToErrorResponse(err).StatusCode == http.StatusPreconditionFailed {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("put %s: %w", key, err)
	}
	return true, nil
}

// GetKey returns the content of the object with that key, or an error that wraps ErrNotFound.
func (s *Store) GetKey(ctx context.Context, key string) ([]byte, error) {
	return s.get(ctx, key, -1)
}

// get reads an object whole. A size of 0 or more is the one it must have.
func (s *Store) get(ctx context.Context, key string, size int64) ([]byte, error) {
	object, info, _, err := minio.Core{Client: s.client}.GetObject(ctx, s.bucket, key, minio.GetObjectOptions{})
	if isNotFound(err) {
		return nil, fmt.Errorf("get %s from bucket %s: %w", key, s.bucket, ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("get %s: %w", key, err)
	}
	defer object.Close()
	if size >= 0 && info.Size != size {
		return nil, fmt.Errorf("get %s: damaged: it has %d bytes, not %d", key, info.Size, size)
	}
	data := make([]byte, info.Size)
	if _, err := io.ReadFull(object, data); err != nil {
		return nil, fmt.Errorf("get %s: %w", key, err)
	}
	return data, nil
}

// Entry is one object of a listing.
type Entry struct {
	Key  string
	Size int64 // bytes
}

// List returns the objects whose keys begin with prefix, in the order of their keys.
func (s *Store) List(ctx context.Context, prefix string) ([]Entry, error) {
	return s.list(ctx, minio.ListObjectsOptions{Prefix: prefix, Recursive: true})
}

// Folders returns the names of the folders in a folder, in their order: for "runs/", which ends with a slash, those ID for which a key
// begins with runs/ID/. However much they hold, it is not listed.
func (s *Store) Folders(ctx context.Context, folder string) ([]string, error) {
	entries, err := s.list(ctx, minio.ListObjectsOptions{Prefix: folder})
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(strings.TrimPrefix(e.Key, folder), "/"); ok {
			names = append(names, name)
		}
	}
	return names, nil
}

func (s *Store) list(ctx context.Context, opts minio.ListObjectsOptions) ([]Entry, error) {
	ctx, cancel := context.WithCancel(ctx) // ends the listing's goroutine on an early return
	defer cancel()
	var entries []Entry
	for info := range s.client.ListObjects(ctx, s.bucket, opts) {
		if info.Err != nil {
			return nil, fmt.Errorf("list %s: %w", opts.Prefix, info.Err)
		}
		entries = append(entries, Entry{Key: info.Key, Size: info.Size})
	}
	return entries, nil
}

func isNotFound(err error) bool {
	return err != nil && minio.ToErrorResponse(err).StatusCode == http.StatusNotFound
}
