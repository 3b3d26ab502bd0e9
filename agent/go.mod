module fullhouse/agent

go 1.24.0
