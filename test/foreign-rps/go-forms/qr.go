package main

import (
	"errors"
	"fmt"
	"html/template"
	"strings"
)

// A QR code of byte mode, versions 1 to 10, level M where the text fits, else L (ISO/IEC 18004).

const qrCapacity = 271 // octets of version 10, level L

type qrLevel struct {
	bits   int     // what the format information says
	check  [10]int // check octets of a block, by version
	blocks [10]int
}

var (
	qrL = qrLevel{1, [10]int{7, 10, 15, 20, 26, 18, 20, 24, 30, 18}, [10]int{1, 1, 1, 1, 1, 2, 2, 2, 2, 4}}
	qrM = qrLevel{0, [10]int{10, 16, 26, 18, 24, 16, 18, 22, 22, 26}, [10]int{1, 1, 1, 2, 2, 4, 4, 4, 5, 5}}

	qrAligned = [10][]int{{}, {6, 18}, {6, 22}, {6, 26}, {6, 30}, {6, 34}, {6, 22, 38}, {6, 24, 42}, {6, 26, 46}, {6, 28, 50}}
)

// qrOctets is how many octets of all kinds a version holds.
func qrOctets(version int) int {
	modules := (16*version+128)*version + 64
	if version >= 2 {
		aligned := version/7 + 2
		modules -= (25*aligned-10)*aligned - 55
	}
	if version >= 7 {
		modules -= 36
	}
	return modules / 8
}

// qrSVG draws the code with five pixels for a module and the quiet zone of four modules.
func qrSVG(text string) (template.HTML, error) {
	code, err := newQR([]byte(text))
	if err != nil {
		return "", err
	}
	const quiet, pixels = 4, 5
	size := code.size + 2*quiet
	var path strings.Builder
	for y := range code.dark {
		for x, dark := range code.dark[y] {
			if dark {
				fmt.Fprintf(&path, "M%d %dh1v1h-1z", x+quiet, y+quiet)
			}
		}
	}
	return template.HTML(fmt.Sprintf(`<svg role="img" aria-label="QR code for the app on your phone" width="%d" height="%d" viewBox="0 0 %d %d" shape-rendering="crispEdges">`+
		`<path fill="#fff" d="M0 0h%dv%dH0z"/><path fill="#000" d="%s"/></svg>`, size*pixels, size*pixels, size, size, size, size, path.String())), nil
}

type qr struct {
	version, size int
	dark, fixed   [][]bool // fixed: no data and no mask here
}

func newQR(text []byte) (*qr, error) {
	for _, level := range []qrLevel{qrM, qrL} {
		for version := 1; version <= 10; version++ {
			room := qrOctets(version) - level.check[version-1]*level.blocks[version-1]
			head := 12 // bits of mode and length
			if version == 10 {
				head = 20
			}
			if len(text)*8+head > room*8 {
				continue
			}
			return drawQR(version, level, qrBlocks(version, level, qrData(text, version, room))), nil
		}
	}
	return nil, errors.New("the text is too long for a code")
}

func qrData(text []byte, version, room int) []byte {
	out, used := make([]byte, room), 0
	put := func(value, bits int) {
		for bit := bits - 1; bit >= 0 && used < room*8; bit-- {
			out[used>>3] |= byte(value>>bit&1) << (7 - used&7)
			used++
		}
	}
	put(4, 4)
	if version == 10 {
		put(len(text), 16)
	} else {
		put(len(text), 8)
	}
	for _, octet := range text {
		put(int(octet), 8)
	}
	put(0, 4)
	for filler, next := []byte{0xec, 0x11}, 0; (used+7)/8 < room; next++ {
		used = (used + 7) / 8 * 8
		put(int(filler[next%2]), 8)
	}
	return out
}

// qrBlocks cuts the data into blocks, adds the check octets and interleaves them.
func qrBlocks(version int, level qrLevel, data []byte) []byte {
	count, check := level.blocks[version-1], level.check[version-1]
	short, long := len(data)/count, len(data)%count // the last blocks are one octet longer
	generator := qrGenerator(check)
	var blocks, checks [][]byte
	for block := 0; block < count; block++ {
		size := short
		if block >= count-long {
			size++
		}
		blocks = append(blocks, data[:size])
		checks = append(checks, qrRemainder(data[:size], generator))
		data = data[size:]
	}
	var out []byte
	for column := 0; column <= short; column++ {
		for _, block := range blocks {
			if column < len(block) {
				out = append(out, block[column])
			}
		}
	}
	for column := 0; column < check; column++ {
		for _, block := range checks {
			out = append(out, block[column])
		}
	}
	return out
}

// times multiplies in the field of 256 elements with the polynomial 0x11d.
func times(a, b byte) byte {
	product := 0
	for bit := 7; bit >= 0; bit-- {
		product = product<<1 ^ product>>7*0x11d
		product ^= int(b>>bit&1) * int(a)
	}
	return byte(product)
}

func qrGenerator(degree int) []byte {
	out := make([]byte, degree)
	out[degree-1] = 1
	root := byte(1)
	for i := 0; i < degree; i++ {
		for j := range out {
			out[j] = times(out[j], root)
			if j+1 < degree {
				out[j] ^= out[j+1]
			}
		}
		root = times(root, 2)
	}
	return out
}

func qrRemainder(data, generator []byte) []byte {
	out := make([]byte, len(generator))
	for _, octet := range data {
		factor := octet ^ out[0]
		copy(out, out[1:])
		out[len(out)-1] = 0
		for i := range out {
			out[i] ^= times(generator[i], factor)
		}
	}
	return out
}

func drawQR(version int, level qrLevel, octets []byte) *qr {
	code := &qr{version: version, size: 17 + 4*version}
	for y := 0; y < code.size; y++ {
		code.dark, code.fixed = append(code.dark, make([]bool, code.size)), append(code.fixed, make([]bool, code.size))
	}
	code.patterns()
	code.format(level, 0) // reserves the place
	code.place(octets)
	best, least := 0, -1
	for mask := 0; mask < 8; mask++ {
		code.mask(mask)
		code.format(level, mask)
		if penalty := code.penalty(); least < 0 || penalty < least {
			best, least = mask, penalty
		}
		code.mask(mask) // a second time takes it away
	}
	code.mask(best)
	code.format(level, best)
	return code
}

func (q *qr) set(x, y int, dark bool) { q.dark[y][x], q.fixed[y][x] = dark, true }

func (q *qr) patterns() {
	for i := 0; i < q.size; i++ {
		q.set(6, i, i%2 == 0)
		q.set(i, 6, i%2 == 0)
	}
	for _, corner := range [][2]int{{3, 3}, {q.size - 4, 3}, {3, q.size - 4}} {
		for dy := -4; dy <= 4; dy++ {
			for dx := -4; dx <= 4; dx++ {
				x, y, ring := corner[0]+dx, corner[1]+dy, max(abs(dx), abs(dy))
				if x >= 0 && y >= 0 && x < q.size && y < q.size {
					q.set(x, y, ring != 2 && ring != 4)
				}
			}
		}
	}
	places := qrAligned[q.version-1]
	last := len(places) - 1
	for i, x := range places {
		for j, y := range places {
			if i == 0 && (j == 0 || j == last) || i == last && j == 0 {
				continue // a finder pattern is there
			}
			for dy := -2; dy <= 2; dy++ {
				for dx := -2; dx <= 2; dx++ {
					q.set(x+dx, y+dy, max(abs(dx), abs(dy)) != 1)
				}
			}
		}
	}
	if q.version >= 7 {
		rest := q.version
		for i := 0; i < 12; i++ {
			rest = rest<<1 ^ rest>>11*0x1f25
		}
		bits := q.version<<12 | rest
		for i := 0; i < 18; i++ {
			a, b := q.size-11+i%3, i/3
			q.set(a, b, bits>>i&1 == 1)
			q.set(b, a, bits>>i&1 == 1)
		}
	}
}

func (q *qr) format(level qrLevel, mask int) {
	data := level.bits<<3 | mask
	rest := data
	for i := 0; i < 10; i++ {
		rest = rest<<1 ^ rest>>9*0x537
	}
	bits := (data<<10 | rest) ^ 0x5412
	dark := func(i int) bool { return bits>>i&1 == 1 }
	for i := 0; i <= 5; i++ {
		q.set(8, i, dark(i))
	}
	q.set(8, 7, dark(6))
	q.set(8, 8, dark(7))
	q.set(7, 8, dark(8))
	for i := 9; i < 15; i++ {
		q.set(14-i, 8, dark(i))
	}
	for i := 0; i < 8; i++ {
		q.set(q.size-1-i, 8, dark(i))
	}
	for i := 8; i < 15; i++ {
		q.set(8, q.size-15+i, dark(i))
	}
	q.set(8, q.size-8, true)
}

// place lays the octets in two columns at a time, upwards and downwards, from the right.
func (q *qr) place(octets []byte) {
	next := 0
	for right := q.size - 1; right >= 1; right -= 2 {
		if right == 6 {
			right = 5
		}
		for step := 0; step < q.size; step++ {
			y := step
			if (right+1)&2 == 0 {
				y = q.size - 1 - step
			}
			for _, x := range []int{right, right - 1} {
				if !q.fixed[y][x] && next < len(octets)*8 {
					q.dark[y][x] = octets[next>>3]>>(7-next&7)&1 == 1
					next++
				}
			}
		}
	}
}

func (q *qr) mask(mask int) {
	for y := 0; y < q.size; y++ {
		for x := 0; x < q.size; x++ {
			flip := [8]bool{(x+y)%2 == 0, y%2 == 0, x%3 == 0, (x+y)%3 == 0, (x/3+y/2)%2 == 0, x*y%2+x*y%3 == 0, (x*y%2+x*y%3)%2 == 0, ((x+y)%2+x*y%3)%2 == 0}[mask]
			if flip && !q.fixed[y][x] {
				q.dark[y][x] = !q.dark[y][x]
			}
		}
	}
}

// penalty is the standard's measure of how hard a code is to read.
func (q *qr) penalty() int {
	total, darks := 0, 0
	for _, turned := range []bool{false, true} {
		at := func(line, i int) bool {
			if turned {
				return q.dark[i][line]
			}
			return q.dark[line][i]
		}
		for line := 0; line < q.size; line++ {
			run, window := 0, 0
			for i := 0; i < q.size; i++ {
				if i > 0 && at(line, i) == at(line, i-1) {
					run++
				} else {
					run = 1
				}
				if run == 5 {
					total += 3
				} else if run > 5 {
					total++
				}
				window = window << 1 & 0x7ff
				if at(line, i) {
					window |= 1
				}
				if i >= 10 && (window == 0x5d0 || window == 0x05d) {
					total += 40
				}
			}
		}
	}
	for y := 0; y < q.size; y++ {
		for x := 0; x < q.size; x++ {
			if q.dark[y][x] {
				darks++
			}
			if x > 0 && y > 0 && q.dark[y][x] == q.dark[y-1][x] && q.dark[y][x] == q.dark[y][x-1] && q.dark[y][x] == q.dark[y-1][x-1] {
				total += 3
			}
		}
	}
	return total + abs(darks*20-q.size*q.size*10)/(q.size*q.size)*10
}

func abs(a int) int {
	if a < 0 {
		return -a
	}
	return a
}

func max(a, b int) int {
	if a > b {
		return a
	}
	return b
}
