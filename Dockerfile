# The program in an image of its own:
#   docker build -t quantiplan .
#   docker run --rm -v "$PWD:/work" quantiplan solve examples/commute.json --tau 0.1
FROM debian:12 AS build
RUN apt-get update && apt-get install -y --no-install-recommends make
COPY . /source
WORKDIR /source
RUN scripts/install-packages.sh build && scripts/web.sh --try && scripts/build.sh release quantiplan_program

FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends \
      libgmp10 libmpfr6 libfmt9 zlib1g liblzma5 libzstd1 && rm -rf /var/lib/apt/lists/*
COPY --from=build /source/build/release/quantiplan /usr/local/bin/
WORKDIR /work
ENTRYPOINT ["quantiplan"]
