"""What mypy --strict has to find right: test_package.py."""

import numpy as np
import zveno

robot = zveno.Robot("arm.urdf", free_base=True)
q = robot.neutral()
tau = robot.inverse_dynamics(q, [0.0] * robot.nv, None, out=np.empty(robot.nv))
derivatives = robot.inverse_derivatives(q)
print(tau @ derivatives.dq, robot.joint("elbow").dofs[0].lower, robot.frame_pose(q, "tool", out=None).shape)
for finding in zveno.check("arm.urdf"):
    print(finding.severity, finding.line)
