package host

import (
	"fmt"

	"golang.org/x/sys/windows"
)

func details() (kernel, cpuModel string, memoryBytes uint64) {
	version := windows.RtlGetVersion()
	return fmt.Sprintf("%d.%d.%d", version.MajorVersion, version.MinorVersion, version.BuildNumber), "", 0
}
