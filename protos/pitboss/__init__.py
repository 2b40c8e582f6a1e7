"""The public contract of Pitboss (``pitboss.v1``) and a small typed client (``pitboss.client``)."""
