#!/bin/sh
# Generates the lab's sample: sample-240p.h264 (Annex B) and sample-240p.ogg (Opus), 12 s a seamless loop.
# Needs ffmpeg with libx264, libopus and freetype, and ffprobe. Every moving part has a period that divides 12 s.
#   FONT=/path/to/a/monospaced-bold.ttf assets/lab/make-sample.sh
set -eu
cd "$(dirname "$0")"

seconds=12
fps=25
gop=50           # a keyframe every 2 s
largest=1150     # bytes: a P frame must fit one RTP packet
font=${FONT:-/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf}
[ -r "$font" ] || { echo "No font at $font: set FONT to a monospaced TrueType font." >&2; exit 2; }

# One size for all text keeps the letters' edges on the same macroblocks, which take most of the bits.
text="fontfile=$font:fontcolor=0xE8ECF2"
clock='%{eif\:trunc(t)\:d\:2}.%{eif\:mod(n\,25)*4\:d\:2}'
bars='drawbox=0:0:61:150:0xB8BCC4:fill,drawbox=61:0:61:150:0xB9B24A:fill,drawbox=122:0:61:150:0x43AEB4:fill,drawbox=183:0:60:150:0x4DA95B:fill,drawbox=243:0:61:150:0xA958A8:fill,drawbox=304:0:61:150:0xB5473F:fill,drawbox=365:0:61:150:0x3B55B0:fill'

ffmpeg -hide_banner -loglevel error -y \
  -f lavfi -i "color=c=0x12161C:s=426x240:r=$fps:d=$seconds" \
  -f lavfi -i "color=c=0x12161C:s=44x44:r=$fps:d=$seconds,format=yuva420p,geq=lum='if(lt(hypot(X-22,Y-22),13),235,22)':cb=128:cr=128:a='255*clip(22-hypot(X-22,Y-22),0,1)'" \
  -f lavfi -i "color=c=0xE9A23B:s=426x6:r=$fps:d=$seconds" \
  -f lavfi -i "color=c=0xE9A23B:s=12x12:r=$fps:d=$seconds,format=yuva420p,geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='255*clip(6.5-hypot(X-5.5,Y-5.5),0,1)'" \
  -filter_complex "[0]$bars,drawtext=$text:fontsize=40:x=22:y=168:text='$clock',drawtext=$text:fontsize=17:x=176:y=168:text='FULLHOUSE LAB',drawtext=$text:fontsize=17:x=176:y=192:text='frame %{eif\:n\:d\:3}'[base];[base][1]overlay=x='round(191+150*sin(2*PI*t/6))':y='round(53+46*sin(2*PI*t/4))'[ball];[ball][2]overlay=x='round(-426+426*t/$seconds)':y=234[bar];[bar][3]overlay=x='round(378+24*sin(2*PI*t/2))':y='round(186-24*cos(2*PI*t/2))',format=yuv420p[v]" \
  -map '[v]' -t $seconds -an -c:v libx264 -profile:v baseline -level 1.3 -preset veryslow -tune animation -crf 19 \
  -x264-params "keyint=$gop:min-keyint=$gop:scenecut=0:ref=1:bframes=0:weightp=0:cabac=0:sliced-threads=0:slices=1:threads=1:aud=0:info=0:qpmin=18:ipratio=1.25" \
  -bsf:v 'filter_units=remove_types=6' -f h264 sample-240p.h264

# Twelve soft notes, one a second, silent at both ends. -frames:a leaves out the encoder's flush packet: 200 x 60 ms.
note='pow(2\,(gt(mod(floor(t)\,4)\,0)*4+gt(mod(floor(t)\,4)\,1)*3+gt(mod(floor(t)\,4)\,2)*5-5*gte(t\,4)*lt(t\,8)-3*gte(t\,8))/12)'
ffmpeg -hide_banner -loglevel error -y \
  -f lavfi -i "aevalsrc='st(0\,mod(t\,1));0.22*min(1\,ld(0)*60)*exp(-5.5*ld(0))*(sin(2*PI*330*$note*t)+0.3*sin(4*PI*330*$note*t))':s=48000:d=13" \
  -c:a libopus -application audio -frame_duration 60 -b:a 20k -vbr on -ac 1 -frames:a 200 -map_metadata -1 -fflags +bitexact sample-240p.ogg

ffprobe -v error -show_entries packet=size,flags -of csv=p=0 sample-240p.h264 | awk -F, -v limit=$largest '
  { total += $1 } $2 ~ /K/ { keys++; if ($1 > key) key = $1; next } { if ($1 > p) p = $1; if ($1 > limit) bad++ }
  END { printf "%d frames, %d keyframes (largest %d bytes), largest P frame %d bytes, %.0f kbit/s\n", NR, keys, key, p, total * 8 / (NR / 25) / 1000
        if (bad) { printf "%d P frames are above %d bytes and would need two packets: raise -crf.\n", bad, limit; exit 1 } }'
