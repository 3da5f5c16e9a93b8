# The least that act needs of a job's image: what runs the steps of .github/workflows/container.yml.
FROM python:3.13-slim
# any version will do here
# hadolint ignore=DL3008
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends bash git nodejs >/dev/null \
 && rm -rf /var/lib/apt/lists/*
