module fullhouse/agent

go 1.24.0

require (
	github.com/coder/websocket v1.8.15
	github.com/pion/dtls/v3 v3.1.4
	github.com/pion/interceptor v0.1.45
	github.com/pion/rtcp v1.2.16
	github.com/pion/rtp v1.10.2
	github.com/pion/sdp/v3 v3.0.20
	github.com/pion/srtp/v3 v3.0.11
	github.com/pion/stun/v3 v3.1.5
	github.com/pion/transport/v4 v4.0.2
	github.com/pion/webrtc/v4 v4.2.15
	golang.org/x/sys v0.41.0
)

require (
	github.com/google/uuid v1.6.0 // indirect
	github.com/pion/datachannel v1.6.0 // indirect
	github.com/pion/ice/v4 v4.2.7 // indirect
	github.com/pion/logging v0.2.4 // indirect
	github.com/pion/mdns/v2 v2.1.0 // indirect
	github.com/pion/randutil v0.1.0 // indirect
	github.com/pion/sctp v1.10.0 // indirect
	github.com/pion/turn/v5 v5.0.9 // indirect
	github.com/wlynxg/anet v0.0.5 // indirect
	golang.org/x/crypto v0.48.0 // indirect
	golang.org/x/net v0.50.0 // indirect
	golang.org/x/time v0.14.0 // indirect
)
