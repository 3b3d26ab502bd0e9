package recorder

import (
	"fmt"
	"slices"
	"strings"
)

// rateFactor is the ratio of two rates that counts as a difference: reports are spread at random, and a busy machine is
// late and sends less.
const rateFactor = 5

// Compare lists the differences between what a viewer sends and what a browser sends, each with a constant text.
func Compare(browser, viewer Facts) []string {
	var d differences
	d.sets("session attribute", browser.Offer.Attributes, viewer.Offer.Attributes)
	for _, kind := range []string{"audio", "video"} {
		d.section(kind, browser.Offer.section(kind), viewer.Offer.section(kind))
	}
	d.sets("STUN", kinds(browser.STUN), kinds(viewer.STUN))
	d.rates("STUN", browser.STUN, viewer.STUN, browser.Seconds, viewer.Seconds)
	d.compounds(kinds(browser.RTCP), kinds(viewer.RTCP))
	if browser.Repair == nil { // else reports go with requests, whose rate depends on the withheld packets
		d.rates("RTCP", parts(browser.RTCP), parts(viewer.RTCP), browser.Seconds, viewer.Seconds)
	}
	d.hello(browser.ClientHello, viewer.ClientHello)
	if browser.CanonicalName != viewer.CanonicalName {
		d.add("canonical name of %d characters", viewer.CanonicalName)
	}
	d.repair(browser.Repair, viewer.Repair)
	if !slices.Equal(browser.End, viewer.End) {
		d.add("the end is %s", strings.Join(viewer.End, ", "))
	}
	return d
}

type differences []string

func (d *differences) add(format string, arguments ...any) {
	*d = append(*d, fmt.Sprintf(format, arguments...))
}

// sets compares without regard to order.
func (d *differences) sets(what string, browser, viewer []string) {
	for _, one := range browser {
		if !slices.Contains(viewer, one) {
			d.add("%s: no %s", what, one)
		}
	}
	for _, one := range viewer {
		if !slices.Contains(browser, one) {
			d.add("%s: also %s", what, one)
		}
	}
}

func (o OfferFacts) section(kind string) SectionFacts {
	for _, section := range o.Sections {
		if section.Kind == kind {
			return section
		}
	}
	return SectionFacts{}
}

func (d *differences) section(kind string, browser, viewer SectionFacts) {
	if browser.Setup != viewer.Setup {
		d.add("%s: setup:%s", kind, viewer.Setup)
	}
	if browser.Direction != viewer.Direction || browser.Protocol != viewer.Protocol {
		d.add("%s: %s %s", kind, viewer.Protocol, viewer.Direction)
	}
	d.sets(kind+" attribute", browser.Attributes, viewer.Attributes)
	d.sets(kind+" extension", browser.Extensions, viewer.Extensions)
	name := func(c CodecFacts) string {
		if c.Repairs != "" {
			return "rtx of " + c.Repairs
		}
		return strings.TrimSpace(c.Name + " " + c.Parameters)
	}
	names := func(codecs []CodecFacts) (list []string) {
		for _, codec := range codecs {
			list = append(list, name(codec))
		}
		return list
	}
	d.sets(kind+" codec", names(browser.Codecs), names(viewer.Codecs))
	for _, ours := range viewer.Codecs {
		for _, theirs := range browser.Codecs {
			if name(ours) == name(theirs) {
				d.sets("feedback of "+name(ours), theirs.Feedback, ours.Feedback)
			}
		}
	}
}

func kinds(seen []Seen) (list []string) {
	for _, one := range seen {
		list = append(list, one.Kind)
	}
	return list
}

// compounds compares kinds of compound packets. One that is always combined with something else counts as present.
func (d *differences) compounds(browser, viewer []string) {
	for _, one := range browser {
		if !slices.ContainsFunc(viewer, func(ours string) bool { return ours == one || strings.HasPrefix(ours, one+"+") }) {
			d.add("RTCP: no %s", one)
		}
	}
	for _, one := range viewer {
		if !slices.Contains(browser, one) {
			d.add("RTCP: also %s", one)
		}
	}
}

// parts counts the parts of compound packets: reports about each stream, and the rest.
func parts(compounds []Seen) (counted tally) {
	add := func(part string, count int) {
		at := slices.IndexFunc(counted, func(s Seen) bool { return s.Kind == part })
		if at < 0 {
			at = len(counted)
			counted = append(counted, Seen{Kind: part})
		}
		counted[at].Count += count
	}
	for _, compound := range compounds {
		for _, part := range strings.Split(compound.Kind, "+") {
			about, isReport := strings.CutPrefix(strings.TrimSuffix(part, ")"), "RR(")
			switch {
			case isReport:
				for _, stream := range strings.Split(about, ",") {
					add("report about "+stream, compound.Count)
				}
			default:
				add(part, compound.Count)
			}
		}
	}
	return counted
}

// rates compares the rates of kinds that both send. Small counts are ignored.
func (d *differences) rates(what string, browser, viewer []Seen, browserSeconds, viewerSeconds float64) {
	const few = 5
	for _, theirs := range browser {
		at := slices.IndexFunc(viewer, func(s Seen) bool { return s.Kind == theirs.Kind })
		if at < 0 || theirs.Count < few && viewer[at].Count < few {
			continue
		}
		share := float64(viewer[at].Count) / viewerSeconds / (float64(theirs.Count) / browserSeconds)
		switch {
		case share < 1.0/rateFactor:
			d.add("%s: %s less often", what, theirs.Kind)
		case share > rateFactor:
			d.add("%s: %s more often", what, theirs.Kind)
		}
	}
}

func (d *differences) hello(browser, viewer *HelloFacts) {
	if browser == nil || viewer == nil {
		if browser != viewer {
			d.add("one of them is the DTLS server")
		}
		return
	}
	d.sets("DTLS suite", browser.CipherSuites, viewer.CipherSuites)
	d.sets("DTLS extension", browser.Extensions, viewer.Extensions)
	d.sets("DTLS group", browser.Groups, viewer.Groups)
	d.sets("DTLS version", browser.Versions, viewer.Versions)
	d.sets("SRTP profile", browser.SRTPProfiles, viewer.SRTPProfiles)
	d.sets("DTLS signature", browser.Signatures, viewer.Signatures)
	if browser.RecordVersion != viewer.RecordVersion || browser.Version != viewer.Version {
		d.add("DTLS record %s, version %s", viewer.RecordVersion, viewer.Version)
	}
	if browser.Fragments != viewer.Fragments {
		d.add("the ClientHello is in %d records", viewer.Fragments)
	}
}

func (d *differences) repair(browser, viewer *RepairFacts) {
	if browser == nil || viewer == nil {
		return // nothing was withheld
	}
	if viewer.Repaired == 0 {
		d.add("no withheld packet was requested")
	}
	if viewer.AskedOnce*2 < viewer.Repaired {
		d.add("packets that were sent on request are requested again")
	}
	if viewer.TriesMost > 1 && (viewer.RetryMs < browser.RetryMs/2 || viewer.RetryMs > browser.RetryMs*rateFactor) {
		d.add("a request is repeated after a different time")
	}
}
