# An RTSP server by GStreamer's gst-rtsp-server for tests: serves a file of H.264 and AAC at /cam. Prints its port.
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer

Gst.init(None)
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service("0")
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(
    f"( filesrc location={sys.argv[1]} ! qtdemux name=d d.video_0 ! queue ! rtph264pay name=pay0 pt=96 config-interval=-1"
    " d.audio_0 ! queue ! rtpmp4gpay name=pay1 pt=97 )"
)
server.get_mount_points().add_factory("/cam", factory)
server.attach(None)
print(server.get_bound_port(), flush=True)
GLib.MainLoop().run()
