# The hosted service: a node of it by default, any command of nameplate else. Needs DATABASE_URL: there is no Postgres in here.

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN node bin/build.ts

FROM node:24-slim AS modules
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --omit=dev --omit=optional

FROM node:24-slim AS service
ENV NODE_ENV=production \
    NAMEPLATE_API_LISTEN=0.0.0.0:4500 \
    NAMEPLATE_EDGE_LISTEN=0.0.0.0:4443 \
    NAMEPLATE_EDGE_HTTP_LISTEN=0.0.0.0:4501 \
    NAMEPLATE_DNS_LISTEN=0.0.0.0:4553 \
    NAMEPLATE_ADMIN_LISTEN=0.0.0.0:4502 \
    NAMEPLATE_EDGE_REPLICA=/var/lib/nameplate/edge
# The replica of the edge: give it a volume, so that it survives a new container.
RUN mkdir -m 700 /var/lib/nameplate && chown node:node /var/lib/nameplate
WORKDIR /app
COPY --from=modules /app/node_modules node_modules
COPY package.json LICENSE CHANGELOG.md ./
COPY shared/docs shared/docs
COPY shared/fonts shared/fonts
COPY bin/nameplate.js bin/hand-over.js bin/
COPY --from=build /app/dist dist
COPY service/edge/nginx/lua service/edge/nginx/lua
# Belongs to root and is read only: the user below cannot change what it runs.
USER node
EXPOSE 4500 4443 4501 4502 4553/udp 4553/tcp
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
    CMD ["node", "--eval", "fetch('http://127.0.0.1:4502/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/nameplate.js"]
CMD ["service", "start"]

# The service with nginx as the engine of its edge: docker build --target nginx .
FROM service AS nginx
USER root
RUN apt-get update \
    && apt-get install --yes --no-install-recommends nginx-light libnginx-mod-http-lua \
    && rm -rf /var/lib/apt/lists/*
ENV NAMEPLATE_EDGE_ENGINE=nginx
USER node

# The last stage is the default.
FROM service
