package main

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// Transactions on lists are strictly serializable if some order of them explains all that each has
// read, and keeps those apart that did not overlap in time. No search is needed: whoever reads a
// list sees which appends came before, in which order. So of any two transactions that matter to
// each other it is known which came first, and there is an order if nobody comes before itself
// (Kingsbury and Alvaro, Elle: Inferring Isolation Anomalies from Experimental Observations, 2020).

// A step is of the arguments of a transaction, two for each: a list, and what was appended to it;
// 0 for a read.
type step struct {
	list, appended int64
}

type element struct {
	list, value int64
}

type transaction struct {
	line
	isKnown  bool
	returned int64
	steps    []step
	reads    [][]int64         // per step; nil for an append
	appended map[int64][]int64 // per list
	before   map[int64]int     // per list that was read, how long it was before this transaction
	later    []int             // what comes after it
}

func (t *transaction) String() string {
	result := string(t.Result)
	if !t.isKnown {
		result = "unknown"
	}
	return fmt.Sprintf("client %d at %d: %v: %s", t.Client, t.Invoked, t.steps, result)
}

type lists struct {
	all     []*transaction
	order   map[int64][]int64 // per list, as the longest read shows it
	writers map[element]int
	barrier int // from there on nodes are moments, not transactions
}

// What is wrong with transactions; "" if nothing is.
func wrongWithLists(lines []line) string {
	history := &lists{order: map[int64][]int64{}, writers: map[element]int{}}
	for _, l := range lines {
		t, wrong := parse(l)
		if wrong != "" {
			return wrong
		}
		for list, values := range t.appended {
			for _, value := range values {
				history.writers[element{list, value}] = len(history.all)
			}
		}
		history.all = append(history.all, t)
	}
	if wrong := history.findOrder(); wrong != "" {
		return wrong
	}
	history.relate()
	return history.cycle()
}

func parse(l line) (*transaction, string) {
	t := &transaction{line: l, isKnown: !l.isUnknown(), appended: map[int64][]int64{}, before: map[int64]int{}}
	for i := 0; i+1 < len(l.Arguments); i += 2 {
		t.steps = append(t.steps, step{l.Arguments[i], l.Arguments[i+1]})
	}
	if t.isKnown {
		if err := json.Unmarshal(l.Returned, &t.returned); err != nil {
			return nil, fmt.Sprintf("%v: %v", t, err)
		}
		if err := json.Unmarshal(l.Result, &t.reads); err != nil || len(t.reads) != len(t.steps) {
			return nil, fmt.Sprintf("not a result of each step: %v", t)
		}
	}
	for i, s := range t.steps {
		if s.appended != 0 {
			t.appended[s.list] = append(t.appended[s.list], s.appended)
		} else if t.isKnown {
			own := t.appended[s.list]
			length := len(t.reads[i]) - len(own)
			before, again := t.before[s.list]
			if length < 0 || !isPrefix(own, t.reads[i][length:]) || (again && before != length) {
				return nil, fmt.Sprintf("it did not see what it had seen and done itself: %v", t)
			}
			t.before[s.list] = length
		}
	}
	return t, ""
}

func isPrefix(shorter, longer []int64) bool {
	if len(shorter) > len(longer) {
		return false
	}
	for i, value := range shorter {
		if longer[i] != value {
			return false
		}
	}
	return true
}

// The longest read of each list has to begin as all others do.
func (h *lists) findOrder() string {
	longest := map[int64]*transaction{}
	for _, t := range h.all {
		for i, s := range t.steps {
			if t.isKnown && s.appended == 0 && len(t.reads[i]) >= len(h.order[s.list]) {
				h.order[s.list] = t.reads[i]
				longest[s.list] = t
			}
		}
	}
	for _, t := range h.all {
		for i, s := range t.steps {
			if t.isKnown && s.appended == 0 && !isPrefix(t.reads[i], h.order[s.list]) {
				return fmt.Sprintf("two orders of list %d: %v, and %v", s.list, t, longest[s.list])
			}
		}
	}
	for list, values := range h.order {
		seen := map[int64]bool{}
		for _, value := range values {
			if _, isWritten := h.writers[element{list, value}]; !isWritten || seen[value] {
				return fmt.Sprintf("%d in list %d was appended by nobody, or is there twice: %v", value, list, longest[list])
			}
			seen[value] = true
		}
	}
	return ""
}

// Who comes before whom.
func (h *lists) relate() {
	for list, values := range h.order {
		for i := 1; i < len(values); i++ {
			h.before(h.writers[element{list, values[i-1]}], h.writers[element{list, values[i]}])
		}
	}
	unread := h.unread()
	for i, t := range h.all {
		for list, length := range t.before {
			values := h.order[list]
			if length > 0 {
				h.before(h.writers[element{list, values[length-1]}], i)
			}
			if length < len(values) {
				h.before(i, h.writers[element{list, values[length]}])
			}
			for _, writer := range unread[list] {
				h.before(i, writer)
			}
		}
	}
	h.relateByTime()
}

// Who has appended what nobody has read, and has counted for all that is known: it was told so, or
// something else that it appended was read.
func (h *lists) unread() map[int64][]int {
	read := map[element]bool{}
	counts := map[int]bool{}
	for list, values := range h.order {
		for _, value := range values {
			read[element{list, value}] = true
			counts[h.writers[element{list, value}]] = true
		}
	}
	unread := map[int64][]int{}
	for i, t := range h.all {
		for list, values := range t.appended {
			for _, value := range values {
				if (t.isKnown || counts[i]) && !read[element{list, value}] {
					unread[list] = append(unread[list], i)
					break
				}
			}
		}
	}
	return unread
}

// Whoever has returned is before the moment of that, each moment before the next one, and the last
// moment before a transaction was invoked is before that.
func (h *lists) relateByTime() {
	var byReturn []int
	h.barrier = len(h.all)
	for i, t := range h.all {
		if t.isKnown {
			byReturn = append(byReturn, i)
		}
	}
	sort.Slice(byReturn, func(a, b int) bool { return h.all[byReturn[a]].returned < h.all[byReturn[b]].returned })
	for moment, i := range byReturn {
		h.all = append(h.all, &transaction{})
		h.before(i, h.barrier+moment)
		if moment > 0 {
			h.before(h.barrier+moment-1, h.barrier+moment)
		}
	}
	for i, t := range h.all[:h.barrier] {
		ended := sort.Search(len(byReturn), func(n int) bool { return h.all[byReturn[n]].returned >= t.Invoked })
		if ended > 0 {
			h.before(h.barrier+ended-1, i)
		}
	}
}

func (h *lists) before(one, other int) {
	if one != other {
		h.all[one].later = append(h.all[one].later, other)
	}
}

// Takes away who comes after nobody, again and again; who is left comes before itself.
func (h *lists) cycle() string {
	earlier := make([]int, len(h.all))
	for _, t := range h.all {
		for _, later := range t.later {
			earlier[later]++
		}
	}
	var free []int
	for i, count := range earlier {
		if count == 0 {
			free = append(free, i)
		}
	}
	left := len(h.all)
	for ; len(free) > 0; left-- {
		i := free[len(free)-1]
		free = free[:len(free)-1]
		for _, later := range h.all[i].later {
			if earlier[later]--; earlier[later] == 0 {
				free = append(free, later)
			}
		}
	}
	if left == 0 {
		return ""
	}
	return "each comes before the next one, and the last before the first:" + h.shortest(earlier)
}

// The shortest way from one of those that are left back to it.
func (h *lists) shortest(earlier []int) string {
	var best []int
	for i := range h.all {
		if earlier[i] > 0 && i < h.barrier {
			if way := h.wayBack(i, earlier); way != nil && (best == nil || len(way) < len(best)) {
				best = way
			}
		}
	}
	text := strings.Builder{}
	for _, i := range best {
		if i < h.barrier {
			fmt.Fprintf(&text, "\n  %v", h.all[i])
		}
	}
	return text.String()
}

func (h *lists) wayBack(from int, earlier []int) []int {
	came := map[int]int{}
	for next := []int{from}; len(next) > 0; next = next[1:] {
		for _, later := range h.all[next[0]].later {
			if _, seen := came[later]; seen || earlier[later] == 0 {
				continue
			}
			came[later] = next[0]
			if later == from {
				way := []int{from}
				for i := came[from]; i != from; i = came[i] {
					way = append([]int{i}, way...)
				}
				return way
			}
			next = append(next, later)
		}
	}
	return nil
}
