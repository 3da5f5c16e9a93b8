"""The runs before this one: what is kept of each, where it is kept, and what they say of this one."""
