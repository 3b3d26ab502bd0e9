package audience

import "fullhouse/agent/internal/protocol"

// measured are the histograms of a sample, without any if nothing was measured.
func measured(j protocol.JobSample) protocol.DistributionSample {
	if j.Distributions == nil {
		return protocol.DistributionSample{}
	}
	return *j.Distributions
}
