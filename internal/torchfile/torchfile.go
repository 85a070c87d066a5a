package torchfile

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/nlpodyssey/gopickle/types"
)

// StreamMagic is the start of the stream form, which torch.save wrote before 1.6: pickles of a magic number and of the
// protocol 1001.
var StreamMagic = []byte("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e\x80\x02M\xe9\x03.")

// Sniff reports whether data begins like a file of torch.save, in the stream or the zip form.
func Sniff(data []byte) bool {
	return bytes.HasPrefix(data, StreamMagic) || bytes.HasPrefix(data, []byte("PK\x03\x04"))
}

// Read returns the object in a file of torch.save: containers of gopickle's types, numbers, strings and *Tensor.
func Read(data []byte) (any, error) {
	if bytes.HasPrefix(data, StreamMagic) {
		return readStream(data)
	}
	return readZip(data)
}

// readStream reads the old stream form: magic, protocol, system information, the object, the list of storage keys, then
// for each storage an int64 element count and the raw elements. It returns the object.
func readStream(data []byte) (any, error) {
	at := len(StreamMagic)
	system, _, n, err := unpickle(data[at:])
	if err != nil {
		return nil, fmt.Errorf("system information: %w", err)
	}
	if little, ok := Item(system, "little_endian").(bool); !ok || !little {
		return nil, errors.New("system information: want a little-endian file")
	}
	at += n
	object, storages, n, err := unpickle(data[at:])
	if err != nil {
		return nil, err
	}
	at += n
	value, _, n, err := unpickle(data[at:])
	if err != nil {
		return nil, fmt.Errorf("storage keys: %w", err)
	}
	keys, ok := value.(*types.List)
	if !ok {
		return nil, errors.New("storage keys: want a list")
	}
	at += n
	for _, k := range *keys {
		key, _ := k.(string)
		s, ok := storages[key]
		if !ok {
			return nil, fmt.Errorf("storage %.80q is listed but no tensor uses it", key)
		}
		if len(data)-at < 8 {
			return nil, fmt.Errorf("truncated: the file ends before storage %s", key)
		}
		if count := binary.LittleEndian.Uint64(data[at:]); count != uint64(s.count) {
			return nil, fmt.Errorf("storage %s has %d elements, the pickle says %d", key, count, s.count)
		}
		at += 8
		if s.count > (len(data)-at)/s.size {
			return nil, fmt.Errorf(
				"truncated: storage %s needs %d elements of %d bytes, %d bytes are left", key, s.count, s.size,
				len(data)-at,
			)
		}
		s.data = data[at : at+s.count*s.size]
		at += s.count * s.size
	}
	return object, nil
}

// readZip reads the zip form of torch 1.6 and later: members PREFIX/data.pkl and PREFIX/data/KEY, all stored
// uncompressed.
func readZip(data []byte) (any, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, errors.New("truncated or damaged: the zip directory at the end is missing")
	}
	var prefix string
	for _, f := range z.File {
		if p, ok := strings.CutSuffix(f.Name, "/data.pkl"); ok {
			prefix = p
		}
		if strings.HasSuffix(f.Name, "/constants.pkl") {
			return nil, errors.New("this is a TorchScript archive: save the model's state_dict() with torch.save")
		}
	}
	if prefix == "" {
		return nil, errors.New("a zip file without data.pkl is no PyTorch checkpoint")
	}
	if order, err := readMember(z, prefix+"/byteorder"); err == nil && strings.TrimSpace(string(order)) != "little" {
		return nil, fmt.Errorf("byte order %.80q, want little", order)
	}
	program, err := readMember(z, prefix+"/data.pkl")
	if err != nil {
		return nil, err
	}
	object, storages, _, err := unpickle(program)
	if err != nil {
		return nil, err
	}
	left := len(data)
	for _, key := range slices.Sorted(maps.Keys(storages)) {
		s := storages[key]
		if s.data, err = readMember(z, prefix+"/data/"+key); err != nil {
			return nil, err
		}
		if left -= len(s.data); left < 0 {
			return nil, fmt.Errorf("storage %s: the members are longer than the file: they overlap", key)
		}
		if s.count != len(s.data)/s.size || len(s.data)%s.size != 0 {
			return nil, fmt.Errorf(
				"storage %s has %d bytes, the pickle says %d elements of %d bytes", key, len(s.data), s.count, s.size,
			)
		}
	}
	return object, nil
}

// readMember reads a member. It must not be compressed: torch never compresses, and so no member is larger than the
// file.
func readMember(z *zip.Reader, name string) ([]byte, error) {
	for _, f := range z.File {
		if f.Name != name {
			continue
		}
		if f.Method != zip.Store {
			return nil, fmt.Errorf("member %s is compressed, which torch.save never does", name)
		}
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("member %s: %w", name, err)
		}
		defer r.Close()
		content, err := io.ReadAll(r)
		if err != nil {
			return nil, fmt.Errorf("member %s is truncated or damaged: %w", name, err)
		}
		return content, nil
	}
	return nil, fmt.Errorf("member %s is missing", name)
}
