// Command porcupine checks whether a history of Tempest's services is linearizable, and whether its
// transactions are strictly serializable.
//
// It reads files of JSON lines, which say of operations how they have ended:
//
//	{"service":"registers","key":"a","client":3,"operation":"cas","arguments":[1,2],
//	 "result":true,"invoked":1000,"returned":2000}
//
// Times are nanoseconds of one clock. An operation whose outcome nobody knows has no result, and
// "returned":"unknown": it may have taken effect at any time after it was invoked, or never. One
// that was "returned":"never" did not take effect. Where two lines are of one operation, the same
// client's at the same time, the later one counts.
//
// A transaction on lists has for arguments, of each step, a list and what was appended to it, 0 for
// a read; and for a result, of each step, what was read, null for an append:
//
//	{"service":"lists","key":"a","client":4,"operation":"transaction","arguments":[1,7,2,0],
//	 "result":[null,[5,6]],"invoked":1000,"returned":2000}
//
// Exit codes: 0 all is well, 1 it is not, 2 it could not be found out.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

const (
	exitIllegal = 1
	exitUnknown = 2

	// For the operations on one key; some fractions of a second are usual.
	patience = time.Minute

	// The service whose transactions we check ourselves.
	transactions = "lists"

	// For the picture of a failure.
	picturePatience = 20 * time.Second
)

type line struct {
	Service   string          `json:"service"`
	Key       string          `json:"key"`
	Client    int             `json:"client"`
	Operation string          `json:"operation"`
	Arguments []int64         `json:"arguments"`
	Result    json.RawMessage `json:"result"`
	Invoked   int64           `json:"invoked"`
	Returned  json.RawMessage `json:"returned"`
}

func (l line) isUnknown() bool {
	return string(l.Returned) == `"unknown"`
}

func (l line) isNothing() bool {
	return string(l.Returned) == `"never"`
}

type occasion struct {
	client  int
	invoked int64
}

type place struct {
	service, key string
}

func main() {
	if len(os.Args) < 2 {
		fail("usage: porcupine FILE...")
	}
	operations := map[occasion]line{}
	for _, file := range os.Args[1:] {
		if err := read(file, operations); err != nil {
			fail(err.Error())
		}
	}
	history := byPlace(operations)
	if len(history) == 0 {
		fail("no operations")
	}
	exitCode := 0
	for _, service := range servicesOf(history) {
		exitCode = max(exitCode, check(service, history))
	}
	os.Exit(exitCode)
}

func fail(why string) {
	fmt.Fprintln(os.Stderr, "porcupine:", why)
	os.Exit(exitUnknown)
}

func max[N int | int64](a, b N) N {
	if a > b {
		return a
	}
	return b
}

func read(file string, operations map[occasion]line) error {
	opened, err := os.Open(file)
	if err != nil {
		return err
	}
	defer opened.Close()
	scanner := bufio.NewScanner(opened)
	for number := 1; scanner.Scan(); number++ {
		var l line
		if err := json.Unmarshal(scanner.Bytes(), &l); err != nil {
			return fmt.Errorf("%s, line %d: %w", file, number, err)
		}
		if _, exists := models[l.Service]; !exists && l.Service != transactions {
			return fmt.Errorf("%s, line %d: no model of %q", file, number, l.Service)
		}
		operations[occasion{l.Client, l.Invoked}] = l
	}
	return scanner.Err()
}

// The operations on one key have to be linearizable by themselves, and then all are.
func byPlace(operations map[occasion]line) map[place][]line {
	history := map[place][]line{}
	for _, l := range operations {
		if !l.isNothing() {
			at := place{l.Service, l.Key}
			history[at] = append(history[at], l)
		}
	}
	for _, lines := range history {
		sort.Slice(lines, func(i, j int) bool { return lines[i].Invoked < lines[j].Invoked })
	}
	return history
}

func servicesOf(history map[place][]line) []string {
	var services []string
	seen := map[string]bool{}
	for at := range history {
		if !seen[at.service] {
			seen[at.service] = true
			services = append(services, at.service)
		}
	}
	sort.Strings(services)
	return services
}

// Says what it has found, and returns the exit code for it.
func check(service string, history map[place][]line) int {
	var keys []string
	operations, unknown := 0, 0
	for at, lines := range history {
		if at.service != service {
			continue
		}
		keys = append(keys, at.key)
		operations += len(lines)
		for _, l := range lines {
			if l.isUnknown() {
				unknown++
			}
		}
	}
	sort.Strings(keys)
	exitCode := 0
	for _, key := range keys {
		at := place{service, key}
		exitCode = max(exitCode, checkKey(at, history[at]))
		if exitCode == exitIllegal {
			break
		}
	}
	promise := "linearizable"
	if service == transactions {
		promise = "strictly serializable"
	}
	verdict := []string{promise, "NOT " + promise, "not decided"}[exitCode]
	fmt.Printf("%s: %s; %d operations on %d keys, %d of them with an unknown outcome\n",
		service, verdict, operations, len(keys), unknown)
	return exitCode
}

func checkKey(at place, lines []line) int {
	if at.service == transactions {
		if wrong := wrongWithLists(lines); wrong != "" {
			fmt.Printf("%s: not strictly serializable at key %s: %s\n", at.service, at.key, wrong)
			return exitIllegal
		}
		return 0
	}
	m := porcupineModel(models[at.service])
	operations, err := operationsOf(lines)
	if err != nil {
		fail(err.Error())
	}
	switch porcupine.CheckOperationsTimeout(m, operations, patience) {
	case porcupine.Ok:
		return 0
	case porcupine.Illegal:
		fmt.Printf("%s: not linearizable at key %s%s\n", at.service, at.key, picture(at, m, operations))
		return exitIllegal
	default:
		fmt.Printf("%s: no answer within %s at key %s\n", at.service, patience, at.key)
		return exitUnknown
	}
}

// Draws where no order of the operations goes on, beside the history.
func picture(at place, m porcupine.Model, operations []porcupine.Operation) string {
	file := fmt.Sprintf("%s.%s.html", os.Args[1], at.service)
	_, info := porcupine.CheckOperationsVerbose(m, operations, picturePatience)
	if err := porcupine.VisualizePath(m, info, file); err != nil {
		return "; no picture: " + err.Error()
	}
	return ", see " + file
}

// What is unknown returns after all else.
func operationsOf(lines []line) ([]porcupine.Operation, error) {
	latest := int64(0)
	returned := make([]int64, len(lines))
	for i, l := range lines {
		if !l.isUnknown() {
			if err := json.Unmarshal(l.Returned, &returned[i]); err != nil {
				return nil, fmt.Errorf("%+v returned at no time: %w", l, err)
			}
		}
		latest = max(latest, max(l.Invoked, returned[i]))
	}
	var operations []porcupine.Operation
	for i, l := range lines {
		if l.isUnknown() {
			returned[i] = latest + 1
		}
		operations = append(operations, porcupine.Operation{
			ClientId: l.Client,
			Input:    l,
			Call:     l.Invoked,
			Output:   string(l.Result),
			Return:   returned[i],
		})
	}
	return operations, nil
}

func porcupineModel(m model) porcupine.Model {
	return porcupine.Model{
		Init: func() interface{} { return m.empty },
		Step: func(state, input, output interface{}) (bool, interface{}) {
			l := input.(line)
			next, result := m.apply(state.(string), l.Operation, l.Arguments)
			return l.isUnknown() || result == output.(string), next
		},
		DescribeOperation: func(input, output interface{}) string {
			l := input.(line)
			if l.isUnknown() {
				return fmt.Sprintf("%s%v: unknown", l.Operation, l.Arguments)
			}
			return fmt.Sprintf("%s%v: %s", l.Operation, l.Arguments, output)
		},
	}
}
