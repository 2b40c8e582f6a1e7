"""What all stores share: sending statements, and retrying transactions that lost a race."""
