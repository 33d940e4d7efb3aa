# The container image, from the npm package: npm run pack && docker build -t handset .
# Without a registry at hand: npm run image (docs/using/image.md).
ARG NODE=node:24-bookworm-slim

# On the machine that builds, whichever one the image is for: nothing in it is compiled.
FROM --platform=$BUILDPLATFORM ${NODE} AS package
ARG TARGETARCH
COPY dist/handset-*.tgz /tmp/handset.tgz
RUN npm install --prefix /tmp/made --omit=dev --ignore-scripts --no-audit --no-fund /tmp/handset.tgz pg@8 \
 && mkdir -p /image/opt /image/data \
 && mv /tmp/made/node_modules/handset /image/opt/handset \
 && mv /tmp/made/node_modules /image/opt/handset/node_modules \
 && cd /image/opt/handset/node_modules/better-sqlite3 \
 && rm -rf deps src binding.gyp \
 && find prebuilds -type f ! -name "linux-$(echo "$TARGETARCH" | sed s/amd64/x64/).node" -delete \
 && chmod 1777 /image/data

FROM ${NODE}
ARG VERSION=0
ARG REVISION=unknown
ARG CREATED=1970-01-01T00:00:00Z
LABEL org.opencontainers.image.title="Handset" \
      org.opencontainers.image.description="A scan-and-push FIDO service on your desk, with the phones to go with it." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.created="$CREATED"
COPY --from=package /image /
ENV NODE_ENV=production HANDSET_HOST=0.0.0.0 HANDSET_DATA=/data
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 7420
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=5s --retries=3 CMD ["/usr/local/bin/node", "/opt/handset/health.mjs"]
ENTRYPOINT ["/usr/local/bin/node", "/opt/handset/bin.mjs"]
CMD ["serve"]
