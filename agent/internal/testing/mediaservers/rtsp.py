# An RTSP server by GStreamer's gst-rtsp-server for tests: serves a file of H.264 and AAC at /cam, and
# takes publishers at /in. With a second argument, basic or digest, both require the user me and the password s3cret-pw.
# Prints its port.
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer

Gst.init(None)
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service("0")
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(
    f"( filesrc location={sys.argv[1]} ! qtdemux name=d d.video_0 ! queue ! rtph264pay name=pay0 pt=96 config-interval=-1"
    " d.audio_0 ! queue ! rtpmp4gpay name=pay1 pt=97 )"
)
record = GstRtspServer.RTSPMediaFactory()
record.set_transport_mode(GstRtspServer.RTSPTransportMode.RECORD)
record.set_launch("( decodebin name=depay0 ! fakesink decodebin name=depay1 ! fakesink )")
if len(sys.argv) > 2:
    token = GstRtspServer.RTSPToken()
    token.set_string("media.factory.role", "user")
    auth = GstRtspServer.RTSPAuth()
    if sys.argv[2] == "digest":
        auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
        auth.add_digest("me", "s3cret-pw", token)
    else:
        auth.add_basic(GstRtspServer.RTSPAuth.make_basic("me", "s3cret-pw"), token)
    permissions = GstRtspServer.RTSPPermissions()
    for name in ("access", "construct"):
        permissions.add_permission_for_role("user", "media.factory." + name, True)
    factory.set_permissions(permissions)
    record.set_permissions(permissions)
    server.set_auth(auth)
server.get_mount_points().add_factory("/cam", factory)
server.get_mount_points().add_factory("/in", record)
server.attach(None)
print(server.get_bound_port(), flush=True)
GLib.MainLoop().run()
