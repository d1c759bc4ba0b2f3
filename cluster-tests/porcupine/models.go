package main

import (
	"strconv"
	"strings"
)

// A model says what a service does to the state under one key: the next state, and the result, as
// JSON has it. States are texts, too, so that Porcupine can compare them.
type model struct {
	empty string
	apply func(state string, operation string, arguments []int64) (next string, result string)
}

var models = map[string]model{
	"registers": {"null", register},
	"counters":  {"0", counter},
	"queues":    {"", queue},
}

func register(state string, operation string, arguments []int64) (string, string) {
	switch operation {
	case "read":
		return state, state
	case "write":
		return number(arguments[0]), "null"
	case "cas":
		if state == number(arguments[0]) {
			return number(arguments[1]), "true"
		}
		return state, "false"
	}
	panic("a register has no " + operation)
}

func counter(state string, operation string, arguments []int64) (string, string) {
	switch operation {
	case "read":
		return state, state
	case "add":
		before, err := strconv.ParseInt(state, 10, 64)
		if err != nil {
			panic(err)
		}
		after := number(before + arguments[0])
		return after, after
	}
	panic("a counter has no " + operation)
}

// The elements of a queue are joined by commas, the oldest first.
func queue(state string, operation string, arguments []int64) (string, string) {
	oldest, others, isMore := strings.Cut(state, ",")
	switch operation {
	case "offer":
		if state == "" {
			return number(arguments[0]), "null"
		}
		return state + "," + number(arguments[0]), "null"
	case "poll":
		if isMore {
			return others, oldest
		}
		return "", orNull(oldest)
	case "peek":
		return state, orNull(oldest)
	}
	panic("a queue has no " + operation)
}

func orNull(element string) string {
	if element == "" {
		return "null"
	}
	return element
}

func number(value int64) string {
	return strconv.FormatInt(value, 10)
}
