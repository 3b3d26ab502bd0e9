// Record serves a page that plays over WHEP like a browser's player, and writes what its server receives as JSON.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/testing/recorder"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// run takes the folder of the sample and conditions: transport-cc, rtx, full-ice, withhold, midway. It prints the
// page's address and, once standard input ends, the record.
func run(arguments []string) error {
	if len(arguments) < 1 {
		return fmt.Errorf("usage: record SAMPLE-FOLDER [CONDITION...]")
	}
	sample, err := media.LoadSample(arguments[0], "sample-240p")
	if err != nil {
		return err
	}
	conditions, err := recorder.ParseConditions(strings.Join(arguments[1:], " "))
	if err != nil {
		return err
	}
	conditions.Page = http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		response.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(response, page)
	})
	origin, err := recorder.Open(sample, conditions)
	if err != nil {
		return err
	}
	fmt.Println(origin.Address())
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
	}
	record := struct {
		Facts []recorder.Facts `json:"facts"`
		Offer string           `json:"offer"`
	}{Facts: origin.Facts()}
	if len(record.Facts) > 0 {
		record.Offer = origin.OfferText(0)
	}
	if err := json.NewEncoder(os.Stdout).Encode(record); err != nil {
		return err
	}
	return origin.Close()
}

const page = `<!doctype html><meta charset="utf-8"><title>viewer</title><video autoplay muted playsinline></video><script>
const peer = new RTCPeerConnection();
let session;
async function play() {
  const media = new MediaStream();
  peer.addEventListener('track', (event) => media.addTrack(event.track));
  peer.addTransceiver('video', { direction: 'recvonly' });
  peer.addTransceiver('audio', { direction: 'recvonly' });
  await peer.setLocalDescription();
  await new Promise((done) => {
    const check = () => peer.iceGatheringState === 'complete' && done();
    peer.addEventListener('icegatheringstatechange', check);
    check();
  });
  const response = await fetch('/whep', { method: 'POST', headers: { 'Content-Type': 'application/sdp' }, body: peer.localDescription.sdp });
  if (!response.ok) throw new Error(await response.text());
  session = response.headers.get('Location');
  await peer.setRemoteDescription({ type: 'answer', sdp: await response.text() });
  document.querySelector('video').srcObject = media;
}
async function report() {
  const values = {};
  for (const entry of (await peer.getStats()).values())
    if (entry.type === 'inbound-rtp') values[entry.kind] = entry;
  return values;
}
async function leave() {
  await fetch(session, { method: 'DELETE' });
  peer.close();
}
</script>`
