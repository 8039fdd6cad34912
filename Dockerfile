# One image for every role (ROLE=all, web or worker) and for the commands:
#   docker build -t mfa-portal .
#   docker run --rm mfa-portal node server/cli.ts --help
# docs/deploy.md says how to run it.

ARG BASE=node:24-slim

# What the server needs at run time and nothing else. No package may run a script of its own.
FROM ${BASE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error \
  # The base image brings Node; the rest are optional peers of other packages that only a build uses.
  && rm -rf node_modules/node-* node_modules/typescript node_modules/@typescript \
    node_modules/vite node_modules/vitest node_modules/@vitest node_modules/rolldown node_modules/@rolldown \
    node_modules/lightningcss*

FROM ${BASE} AS pages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund --loglevel=error
COPY . .
RUN node --eval "import('./scripts/setup.mjs').then(({ build }) => build())"

FROM ${BASE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/portal
# A volume takes its owner from the folder that the image has in its place.
RUN install -d -o 1000 -g 1000 -m 0700 /var/lib/portal
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json package-lock.json ./
COPY shared shared
COPY sample sample
COPY server server
COPY public public
COPY --from=pages /app/build build
USER 1000:1000
VOLUME /var/lib/portal
EXPOSE 3000
STOPSIGNAL SIGTERM
# Degraded counts as healthy: public pages and emergency numbers are answered from memory while the database is away.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1, so that it hears the signal to stop.
CMD ["node", "server/main.ts"]
